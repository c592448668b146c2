import { fieldsOf, nameOf, syntaxOf } from './syntax.ts';

/**
 * The operands of a call without the unit of time that some dialects write as a bare word: `datediff(day, a, b)`,
 * `trunc(d, month)`. Only where that place takes a unit, so that a column called `day` stays one elsewhere.
 */
export function withoutDatePart(name: string, operands: readonly unknown[]): readonly unknown[] {
  const plain = name.replaceAll('_', '');
  const first = unitFirst.get(plain);
  if (first !== undefined && operands.length >= first && isUnit(operands[0])) return operands.slice(1);
  const last = unitLast.get(plain);
  return last !== undefined && operands.length >= last && isUnit(operands.at(-1)) ? operands.slice(0, -1) : operands;
}

/** How many operands a call has at least when its first, or its last, is a unit. */
const unitFirst: ReadonlyMap<string, number> = new Map([
  ...['dateadd', 'datediff', 'datesub', 'timestampadd', 'timestampdiff', 'timeadd', 'timediff'].map(
    (name) => [name, 3] as const,
  ),
  ...['datebucket', 'datediffbig'].map((name) => [name, 3] as const),
  ...['datepart', 'datename', 'datetrunc', 'timestamptrunc', 'extract'].map((name) => [name, 2] as const),
]);

const unitLast: ReadonlyMap<string, number> = new Map([
  ...['datediff', 'datetimediff', 'timestampdiff', 'timediff'].map((name) => [name, 3] as const),
  ...['datetrunc', 'datetimetrunc', 'timestamptrunc', 'timetrunc', 'trunc', 'lastday'].map(
    (name) => [name, 2] as const,
  ),
]);

const units: ReadonlySet<string> = new Set(
  `millennium century decade year years yy yyyy isoyear quarter quarters qq month months mm mon week weeks ww wk isoweek
  weekday dayofweek dow isodow dayofyear doy day days dd dy hour hours hh minute minutes mi n second seconds ss s
  millisecond milliseconds ms microsecond microseconds mcs us nanosecond nanoseconds ns epoch epoch_second
  epoch_millisecond timezone_hour timezone_minute`.split(/\s+/),
);

function isUnit(operand: unknown): boolean {
  const node = syntaxOf(operand);
  const qualified = node?.kind === 'column' && fieldsOf(node.fields['table']) !== null;
  if (node === null || qualified || !['column', 'identifier', 'var'].includes(node.kind)) return false;
  const name = nameOf(node.kind === 'var' ? node.fields['this'] : (node.fields['name'] ?? node.fields));
  return name !== null && !name.quoted && units.has(name.text.toLowerCase());
}
