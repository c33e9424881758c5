// Points and triangles in space on a canvas, turned with the pointer.
import {el} from "./dom.js";

export class Space {
  constructor({height = "auto"} = {}) {
    this.canvas = el("canvas", {tabindex: 0, role: "img"});
    this.node = el("div", {class: "chart", style: {height}}, this.canvas);
    this.context = this.canvas.getContext("2d");
    this.turn = [0.5, 0.35];
    this.zoom = 1;
    this.shift = [0, 0];
    this.isFlat = false;
    this.canvas.addEventListener("pointerdown", (event) => {
      this.from = [event.offsetX, event.offsetY];
      this.moved = 0;
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (!this.from) return void this.hovered?.(event);
      const dx = event.offsetX - this.from[0], dy = event.offsetY - this.from[1];
      if (this.isFlat || event.shiftKey) this.shift = [this.shift[0] + dx, this.shift[1] + dy];
      else this.turn = [this.turn[0] + dx * 0.008, Math.min(Math.max(this.turn[1] + dy * 0.008, -1.6), 1.6)];
      this.moved += Math.abs(dx) + Math.abs(dy);
      this.from = [event.offsetX, event.offsetY];
      this.draw();
    });
    this.canvas.addEventListener("pointerup", (event) => {
      this.from = null;
      if (this.moved < 4) this.clicked?.(event);
    });
    this.canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom = Math.min(Math.max(this.zoom * Math.exp(-event.deltaY * 0.0012), 0.1), 60);
      this.draw();
    }, {passive: false});
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.node);
  }

  // Rows of three numbers; the picture is scaled to them.
  set(positions) {
    this.positions = positions;
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < positions.length; ++i)
      if (Number.isFinite(positions[i])) {
        low[i % 3] = Math.min(low[i % 3], positions[i]);
        high[i % 3] = Math.max(high[i % 3], positions[i]);
      }
    this.center = low.map((value, k) => Number.isFinite(value) ? (value + high[k]) / 2 : 0);
    this.size = Math.max(...low.map((value, k) => high[k] - value).filter(Number.isFinite), 1e-9) / 2;
  }

  // Where each point is on the screen, and how far away.
  project() {
    const n = this.positions.length / 3, [a, b] = this.isFlat ? [0, 0] : this.turn;
    const sa = Math.sin(a), ca = Math.cos(a), sb = Math.sin(b), cb = Math.cos(b);
    const scale = Math.min(this.width, this.height) * 0.42 * this.zoom / this.size;
    this.screen ||= new Float32Array(0);
    if (this.screen.length !== n * 3) this.screen = new Float32Array(n * 3);
    for (let i = 0; i < n; ++i) {
      const x = this.positions[3 * i] - this.center[0], y = this.positions[3 * i + 1] - this.center[1], z = this.positions[3 * i + 2] - this.center[2];
      const x1 = ca * x + sa * z, z1 = -sa * x + ca * z, y1 = cb * y - sb * z1, z2 = sb * y + cb * z1;
      const near = this.isFlat ? 1 : 3.2 / (3.2 - z2 / this.size);
      this.screen[3 * i] = this.width / 2 + this.shift[0] + x1 * scale * near;
      this.screen[3 * i + 1] = this.height / 2 + this.shift[1] - y1 * scale * near;
      this.screen[3 * i + 2] = z2 / this.size;
    }
    return this.screen;
  }

  begin() {
    const box = this.canvas.getBoundingClientRect(), ratio = window.devicePixelRatio || 1;
    if (box.width < 10 || !this.positions) return false;
    this.width = box.width;
    this.height = box.height;
    this.canvas.width = box.width * ratio;
    this.canvas.height = box.height * ratio;
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.context.clearRect(0, 0, box.width, box.height);
    return true;
  }

  draw() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      if (this.begin()) this.paint?.(this.project(), this.context);
    });
  }

  nearest(event, within = 12) {
    let best = -1, least = within * within;
    for (let i = 0; i < (this.screen?.length || 0) / 3; ++i) {
      const away = (this.screen[3 * i] - event.offsetX) ** 2 + (this.screen[3 * i + 1] - event.offsetY) ** 2;
      if (away < least) [best, least] = [i, away];
    }
    return best;
  }
}
