import { ServerResponse } from 'node:http';

/** Adds a number of milliseconds to the time of day of this thread. Timers and `process.hrtime` stay the machine's. */
export function moveDate(ahead: () => number): void {
  const machine = Date;
  const now = () => machine.now() + ahead();
  globalThis.Date = new Proxy(machine, {
    construct: (target, args, as) => Reflect.construct(target, args.length === 0 ? [now()] : args, as),
    apply: () => new machine(now()).toString(),
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
  });

  // Node dates responses by the clock that it has kept for itself, and clients of AWS correct theirs by such a date.
  const { writeHead } = ServerResponse.prototype;
  ServerResponse.prototype.writeHead = function dated(this: ServerResponse, ...args: unknown[]) {
    if (!this.headersSent && !this.hasHeader('date')) this.setHeader('date', new Date().toUTCString());
    return Reflect.apply(writeHead, this, args);
  };
}
