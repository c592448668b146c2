const day = '\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])';
const hours = '(?:[01]\\d|2[0-3])';
const rfc3339 = new RegExp(`^${day}[Tt]${hours}:[0-5]\\d:(?:[0-5]\\d|60)(?:\\.\\d+)?(?:[Zz]|[+-]${hours}:[0-5]\\d)$`);
const iso8601 = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d)?)([.,]\d+)?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;

/** True of an RFC 3339 date-time: a day that the calendar has, a time of day and a zone; 23:59:60 UTC is a leap second. */
export const isTimestamp = (text: string): boolean =>
  rfc3339.test(text) && hasDay(text) && (text[17] !== '6' || isLastMinute(text));

/** An ISO 8601 date-time as RFC 3339; null if unreadable. Without a zone it is UTC, without a time midnight. */
export function rfc3339Of(text: string): string | null {
  if (isTimestamp(text)) return text;
  const [, date, time, decimals, zone] = iso8601.exec(text.trim()) ?? [];
  if (date === undefined) return null;
  const strict = `${date}T${withSeconds(time ?? '00:00')}${(decimals ?? '').replace(',', '.')}${withColon(zone ?? 'Z')}`;
  return isTimestamp(strict) ? strict : null;
}

/** The moment as ISO with milliseconds; null if unreadable. */
export function readTimestamp(text: string): string | null {
  const strict = rfc3339Of(text);
  return strict && new Date(Date.parse(strict.replace(/:60(?=[.Z+-])/i, ':59'))).toISOString();
}

/** Every month has 28 days. */
const hasDay = (text: string): boolean =>
  text.slice(8, 10) <= '28' ||
  Number(text.slice(8, 10)) <= lastDayOf(Number(text.slice(0, 4)), Number(text.slice(5, 7)));

function lastDayOf(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

const minutesPerDay = 1440;

/** Of the day in UTC. */
function isLastMinute(text: string): boolean {
  const [sign, hoursAway, minutesAway] = [text.at(-6), Number(text.slice(-5, -3)), Number(text.slice(-2))];
  const offset = /z$/i.test(text) ? 0 : (sign === '-' ? -1 : 1) * (hoursAway * 60 + minutesAway);
  const minute = Number(text.slice(11, 13)) * 60 + Number(text.slice(14, 16)) - offset;
  return (minute + 2 * minutesPerDay) % minutesPerDay === minutesPerDay - 1;
}

const withSeconds = (time: string): string => (time.length === 5 ? `${time}:00` : time);

const withColon = (zone: string): string =>
  zone.length === 1 ? zone.toUpperCase() : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;

/** Time is an input: code that needs the present moment gets a clock. */
export type Clock = { readonly now: () => Date };

export const systemClock: Clock = { now: () => new Date() };

/** Work that was not begun, because the time of its worker is nearly up: somebody else begins it. */
export class OutOfTime extends Error {}
