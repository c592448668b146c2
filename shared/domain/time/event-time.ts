import { Fault } from '../../contract/fault.ts';
import { type Micros, micros } from '../graph/order.ts';

const parts = /^(.{17})(\d\d)(?:\.(\d+))?(.+)$/;

/** The moment of an RFC 3339 time, cut to the microsecond; a leap second counts as the second after it. */
export function microsOfEventTime(time: string): Micros {
  const [, minute, seconds, fraction = '', zone] = parts.exec(time.toUpperCase()) ?? [];
  const milliseconds = Date.parse(`${minute}00${zone}`);
  if (Number.isNaN(milliseconds)) throw new Fault('event_time', 'not an RFC 3339 time');
  return micros(BigInt(milliseconds) * 1_000n + BigInt(`${seconds}${fraction.slice(0, 6).padEnd(6, '0')}`));
}
