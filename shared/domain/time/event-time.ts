import { Fault } from '../../contract/fault.ts';
import { type Micros, micros } from '../graph/order.ts';

/** Of what follows the minute and its colon. */
const parts = /^(\d\d)(?:\.(\d+))?([Z+-].*)$/;
const minuteLength = 'yyyy-mm-ddThh:mm:'.length;

/** The moment of an RFC 3339 time, cut to the microsecond; a leap second counts as the second after it. */
export function microsOfEventTime(time: string): Micros {
  const [, seconds, fraction = '', zone] = parts.exec(time.slice(minuteLength).toUpperCase()) ?? [];
  const milliseconds = Date.parse(`${time.slice(0, minuteLength).toUpperCase()}00${zone}`);
  if (Number.isNaN(milliseconds)) throw new Fault('event_time', 'not an RFC 3339 time');
  return micros(BigInt(milliseconds) * 1_000n + BigInt(`${seconds}${fraction.slice(0, 6).padEnd(6, '0')}`));
}
