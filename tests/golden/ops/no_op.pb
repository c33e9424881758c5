
;
ControlTrigger_1Case*!
fingerprintcfc76487ced35f7b
1
NoOp_0Case*!
fingerprint27e8c6d7b0e93416