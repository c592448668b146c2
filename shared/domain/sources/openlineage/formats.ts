const dateTimePattern =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;
const daysIn = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const minutesPerDay = 24 * 60;

/** RFC 3339 `date-time`: a calendar date, `T`, and a zone; a 60th second only where UTC may insert one. */
function isDateTime(text: string): boolean {
  const parts = dateTimePattern.exec(text);
  if (!parts) return false;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const leapDayMissing = month === 2 && day === 29 && (year % 4 !== 0 || (year % 100 === 0 && year % 400 !== 0));
  if (day < 1 || day > (daysIn[month - 1] ?? 0) || leapDayMissing) return false;
  if (second < 60) return true;
  const offset = (Number(parts[8] ?? 0) * 60 + Number(parts[9] ?? 0)) * (parts[7] === '-' ? -1 : 1);
  return (hour * 60 + minute - offset + minutesPerDay) % minutesPerDay === minutesPerDay - 1;
}

const uuidPattern = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

const escaped = '%[\\da-f]{2}';
const unreserved = "-\\w.~!$&'()*+,;=";
const segment = `(?:[${unreserved}:@]|${escaped})`;
const authority = `(?:(?:[${unreserved}:]|${escaped})*@)?(?:\\[[\\da-fv.:]+\\]|(?:[${unreserved}]|${escaped})*)(?::\\d*)?`;
const uriPattern = new RegExp(
  `^[a-z][a-z\\d+.-]*:(?://${authority}(?:/${segment}*)*|/?(?:${segment}+(?:/${segment}*)*)?)(?:\\?(?:${segment}|[/?])*)?(?:#(?:${segment}|[/?])*)?$`,
  'i',
);

/** The formats that the OpenLineage schemas assert, as their RFCs define them (3339, 4122, 3986) and no laxer. */
export const formats = {
  'date-time': isDateTime,
  uuid: (text: string) => uuidPattern.test(text),
  uri: (text: string) => uriPattern.test(text),
};
