// What the server is asked. Addresses are relative: the page may stand behind a proxy.

async function ask(path, options) {
  const answer = await fetch(path, {credentials: "same-origin", ...options});
  if (!answer.ok) throw new Error((await answer.text()).trim() || `status ${answer.status}`);
  return answer;
}

export function query(parameters) {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || value === null || value === "") continue;
    for (const one of Array.isArray(value) ? value : [value]) text.append(name, one);
  }
  return text.toString();
}

export async function get(path, parameters = {}, options = {}) {
  const text = query(parameters);
  return (await ask(text ? `${path}?${text}` : path, options)).json();
}

export async function post(path, body) {
  return (await ask(path, {method: "POST", body: typeof body === "string" || body instanceof Blob ? body : JSON.stringify(body)})).json();
}

export async function floats(path, parameters) {
  return new Float32Array(await (await ask(`${path}?${query(parameters)}`)).arrayBuffer());
}

export async function words(path, parameters) {
  return (await ask(`${path}?${query(parameters)}`)).text();
}

export async function buffer(path, parameters) {
  return (await ask(`${path}?${query(parameters)}`)).arrayBuffer();
}

// The lines of a chart: for each run columns of doubles.
export async function lines(wish, signal) {
  const answer = await ask("data/rill/chart", {method: "POST", body: JSON.stringify(wish), signal});
  const body = await answer.arrayBuffer();
  const size = new DataView(body).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(body, 4, size)));
  let at = 4 + size;
  for (const line of head)
    for (const column of ["x", "steps", "walls", "values", "smoothed"]) {
      line[column] = new Float64Array(body, at, line.count);
      at += 8 * line.count;
    }
  return head;
}
