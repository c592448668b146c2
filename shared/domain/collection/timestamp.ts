const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;
const iso8601 = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d)?)([.,]\d+)?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;

/** True of an RFC 3339 date-time: a day that the calendar has, a time of day and a zone; 23:59:60 UTC is a leap second. */
export function isTimestamp(text: string): boolean {
  const [, year, month, day, hour, minute, second, zone] = rfc3339.exec(text) ?? [];
  if (zone === undefined || !isDay(Number(year), Number(month), Number(day)) || !isZone(zone)) return false;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return false;
  return second !== '60' || isLastMinute(Number(hour) * 60 + Number(minute) - offsetMinutes(zone));
}

/**
 * The moment of a timestamp as SDKs write it, in ISO form with milliseconds, or null where it cannot be read:
 * ISO 8601 with any count of decimals, where a missing zone is UTC and a missing time midnight.
 */
export function readTimestamp(text: string): string | null {
  const [, date, time, decimals, zone] = iso8601.exec(text.trim()) ?? [];
  if (date === undefined) return null;
  const strict = `${date}T${withSeconds(time ?? '00:00')}${(decimals ?? '').replace(',', '.')}${withColon(zone ?? 'Z')}`;
  return isTimestamp(strict) ? new Date(Date.parse(strict.replace(/:60(?=[.Z+-])/i, ':59'))).toISOString() : null;
}

function isDay(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year + 400, month, 0)).getUTCDate();
}

const isZone = (zone: string): boolean => zone.length === 1 || (zone.slice(1, 3) <= '23' && zone.slice(4) <= '59');

const offsetMinutes = (zone: string): number =>
  zone.length === 1 ? 0 : (zone[0] === '-' ? -1 : 1) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4)));

const minutesADay = 1440;
const isLastMinute = (minutes: number): boolean => (minutes + 2 * minutesADay) % minutesADay === minutesADay - 1;

const withSeconds = (time: string): string => (time.length === 5 ? `${time}:00` : time);

const withColon = (zone: string): string =>
  zone.length === 1 ? zone.toUpperCase() : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
