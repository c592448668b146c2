import type { SqlDialect } from './dialect.ts';
import { columnSyntax, fieldsOf, listOf, nameOf, stringOf, syntaxOf, textOf, unquoted, wordSet } from './syntax.ts';
import type { SqlName } from './types.ts';

type Call = { readonly dialect: SqlDialect; readonly name: string };

/** Whether the relations in scope have a column of a name, may have it, or cannot have it. */
export type IsColumn = (name: SqlName) => 'has' | 'may' | 'no';

/** A bare word is a date part only where this function of this dialect takes one; everywhere else it is a column. */
export function withoutDatePart(call: Call, operands: readonly unknown[], isColumn: IsColumn): readonly unknown[] {
  if (!dateFunctions.has(call.name.replaceAll('_', ''))) return operands;
  const place = datePartPlace(call, operands, isColumn);
  const values = place === null ? operands : operands.toSpliced(place, 1);
  // The parser takes the first operand for a date part in dialects that have none there.
  return values.map((operand) =>
    syntaxOf(operand)?.kind === 'var' ? columnSyntax(unquoted(bareWord(operand)?.text ?? '')) : operand,
  );
}

function datePartPlace(call: Call, operands: readonly unknown[], isColumn: IsColumn): number | null {
  // A part that is a string leaves no place for another.
  if (operands.some((operand) => isDatePartName(stringOf(operand) ?? ''))) return null;
  const name = call.name.replaceAll('_', '');
  const forms = takers.filter((form) => form.names.has(name) && operands.length >= form.least);
  const sure = forms.find(
    (form) => form.dialects.has(call.dialect) && !form.orValue && isDatePart(operands[form.place]),
  );
  if (sure !== undefined) return sure.place;
  const places = new Set(
    forms.filter((form) => mayBeDatePart(call, form, operands[form.place], isColumn)).map((form) => form.place),
  );
  const [place = null, ...others] = places;
  return others.length === 0 ? place : null;
}

/** A word that names a column for certain is that column; one that cannot is a date part, whatever the dialect. */
function mayBeDatePart(call: Call, form: Taker, operand: unknown, isColumn: IsColumn): boolean {
  if (!isDatePart(operand)) return false;
  const word = bareWord(operand);
  const found = word === null ? 'may' : isColumn(word);
  return found === 'no' || (found === 'may' && (form.dialects.has(call.dialect) || call.dialect === 'ansi'));
}

/** A place at which functions take a date part as a bare word. */
type Taker = {
  readonly dialects: ReadonlySet<SqlDialect>;
  /** In lower case, without underscores. */
  readonly names: ReadonlySet<string>;
  readonly place: number;
  /** With fewer operands the function has another form. */
  readonly least: number;
  /** Whether the function may also have a value there: `trunc(number, scale)`. */
  readonly orValue: boolean;
};

const taker = (dialects: readonly SqlDialect[], names: string, place: number, least: number): Taker => {
  return { dialects: new Set(dialects), names: new Set(names.split(' ')), place, least, orValue: false };
};

const takers: readonly Taker[] = [
  taker(['tsql', 'fabric'], 'dateadd datediff datediffbig datebucket', 0, 3),
  taker(['tsql', 'fabric'], 'datepart datename datetrunc', 0, 2),
  taker(['snowflake'], 'dateadd timeadd timestampadd datediff timediff timestampdiff', 0, 3),
  taker(['snowflake'], 'datetrunc datepart', 0, 2),
  { ...taker(['snowflake'], 'trunc', 1, 2), orValue: true },
  taker(['redshift'], 'dateadd datediff', 0, 3),
  taker(['redshift'], 'datepart', 0, 2),
  { ...taker(['redshift'], 'datetrunc', 0, 2), orValue: true },
  taker(['snowflake', 'bigquery'], 'lastday', 1, 2),
  taker(['bigquery'], 'datetrunc datetimetrunc timestamptrunc timetrunc', 1, 2),
  taker(['bigquery'], 'datediff datetimediff timestampdiff timediff', 2, 3),
  taker(['spark', 'databricks'], 'dateadd datediff timestampadd timestampdiff timediff', 0, 3),
  taker(['mysql'], 'timestampadd timestampdiff', 0, 3),
  taker(['mysql'], 'getformat', 0, 2),
  taker(['clickhouse'], 'dateadd datesub timestampadd timestampsub datediff timestampdiff', 0, 3),
];

const dateFunctions: ReadonlySet<string> = new Set(takers.flatMap(({ names }) => [...names]));

const parts =
  wordSet(`millennium century decade year years yy yyyy y isoyear quarter quarters qq q qtr month months mm mon m week weeks ww
  wk w isoweek isowk isoww iso_week weekday dayofweek dayofweek_iso dow dw isodow dayofyear doy dy day days dd d hour
  hours hh h minute minutes mi n second seconds ss s millisecond milliseconds ms microsecond microseconds mcs us
  nanosecond nanoseconds ns epoch epoch_second epoch_millisecond timezone_hour timezone_minute tz tzoffset date time
  datetime timestamp`);

export const isDatePartName = (word: string): boolean => parts.has(word.toLowerCase());

function isDatePart(operand: unknown): boolean {
  const node = syntaxOf(operand);
  // The parser itself knows some words for date parts, and BigQuery's weeks begin on a day: `WEEK(MONDAY)`.
  if (node?.kind === 'var') return true;
  if (node?.kind === 'function' && textOf(node.fields, 'name')?.toLowerCase() === 'week')
    return listOf(node.fields['args']).every((day) => weekdays.has(bareWord(day)?.text.toLowerCase() ?? ''));
  const word = bareWord(operand);
  return word !== null && isDatePartName(word.text);
}

const weekdays = wordSet('monday tuesday wednesday thursday friday saturday sunday');

/** A name without quotes and without a qualifier; null for anything else. */
function bareWord(operand: unknown): SqlName | null {
  const node = syntaxOf(operand);
  const qualified = node?.kind === 'column' && fieldsOf(node.fields['table']) !== null;
  if (node === null || qualified || !['column', 'identifier', 'var'].includes(node.kind)) return null;
  const name = nameOf(node.kind === 'var' ? node.fields['this'] : (node.fields['name'] ?? node.fields));
  return name === null || name.quoted ? null : name;
}
