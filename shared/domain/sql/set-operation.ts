import { foldedName, type NameRules } from './name-rules.ts';
import { merge, unknown } from './provenance.ts';
import { type Column, column, columnNamed, isOpen, knownColumn, type Rest, type Row, wholeOf } from './row.ts';
import type { Analysis, Scope } from './scope.ts';
import { noteOrder } from './select-clauses.ts';
import { childOf, type Fields, namesOf, type Syntax, textOf } from './syntax.ts';

/** The columns of UNION, INTERSECT and EXCEPT: by place, or by name where the statement says so. */
export function setOperationRow(analysis: Analysis, { kind, fields }: Syntax, within: Scope): Row {
  const left = sideRow(analysis, fields, 'left', within);
  const right = sideRow(analysis, fields, 'right', within);
  const row = combined(analysis, kind, fields, left, right);
  noteOrder(analysis, fields, row, within);
  return row;
}

function sideRow(analysis: Analysis, fields: Fields, side: 'left' | 'right', within: Scope): Row {
  const query = childOf(fields, side);
  return query === null ? [] : analysis.query(analysis, query, within);
}

function combined(analysis: Analysis, kind: string, fields: Fields, left: Row, right: Row): Row {
  if (kind === 'except') {
    // What is taken away decides which rows stay, not what is in them.
    analysis.noteIndirect(wholeOf(right), 'FILTER');
    return left;
  }
  const byName = fields['by_name'] === true || fields['corresponding'] === true;
  return byName ? byNames(analysis, fields, left, right) : byPlaces(left, right);
}

function byPlaces(left: Row, right: Row): Row {
  if (left.length === right.length && left.every((item, place) => corresponds(item, right[place])))
    return left.map((item, place) => both(item, right[place]));
  if (!isOpen(left) && !isOpen(right)) return left.map((item, place) => both(item, right[place]));
  const known = Math.min(firstRest(left), firstRest(right));
  return [...left.slice(0, known).map((item, place) => both(item, right[place])), unplaced];
}

function firstRest(row: Row): number {
  const place = row.findIndex((item) => item.kind === 'rest');
  return place < 0 ? row.length : place;
}

/** Whether two items stand for the same columns in the same order. */
function corresponds(a: Column | Rest, b: Column | Rest | undefined): boolean {
  if (a.kind === 'column' || b === undefined || b.kind === 'column') return a.kind === b?.kind;
  return a.shape !== null && a.shape === b.shape;
}

function both(a: Column | Rest, b: Column | Rest | undefined): Column | Rest {
  if (b === undefined) return a;
  if (a.kind === 'column' && b.kind === 'column') return column(a.name, merge([a.value, b.value]));
  return a;
}

const unplacedReason = 'a set operation by place of relations with unknown columns';
const unplaced: Rest = {
  kind: 'rest',
  reason: unplacedReason,
  shape: null,
  named: () => unknown(unplacedReason),
  fields: false,
};

function byNames({ rules }: Analysis, fields: Fields, left: Row, right: Row): Row {
  const listed = namesOf(fields, 'on_columns').map((name) => foldedName(rules, name));
  const all = unionByName(rules, fields, left, right);
  if (listed.length === 0) return all;
  return all.filter(
    (item) => item.kind === 'rest' || (item.name !== null && listed.includes(foldedName(rules, item.name))),
  );
}

function unionByName(rules: NameRules, fields: Fields, left: Row, right: Row): Row {
  const side = textOf(fields, 'side')?.toUpperCase();
  const inner = textOf(fields, 'kind')?.toUpperCase() === 'INNER';
  const shared = left.flatMap((item): Row => {
    if (item.kind === 'rest' || item.name === null) return [item];
    const match = columnNamed(rules, right, item.name);
    if (match === null) return inner ? [] : [item];
    return [column(item.name, merge([item.value, match.value]))];
  });
  if (inner || side === 'LEFT') return shared;
  return [
    ...shared,
    ...right.filter(
      (item) => item.kind === 'rest' || item.name === null || knownColumn(rules, left, item.name) === null,
    ),
  ];
}
