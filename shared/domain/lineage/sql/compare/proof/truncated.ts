import { bare, type Proof, type Term } from './terms.ts';

const ofDays = /^literal string "(day|week|month|quarter|year)"$/;

/** `date_trunc`. DuckDB gives a day for a day and for a moment, so that a cast to a day before makes no difference. */
export function truncated(proof: Proof, unit: Term, value: Term, givesDays: boolean): Term {
  const isOfDays = givesDays && ofDays.test(unit.op);
  const moment = isOfDays ? momentOf(proof, value) : null;
  return proof.term(isOfDays ? 'truncated days' : 'truncated', unit, moment ?? value);
}

/** The moments that a cast turns into days, or the days; null if the type is not known. */
function momentOf(proof: Proof, term: Term): Term | null {
  const { op, args } = bare(proof, term);
  const [first, second] = args;
  if (proof.dates.has(bare(proof, term))) return bare(proof, term);
  if (op === 'cast' && first && second === dayType(proof)) return momentOf(proof, first);
  // Rows of one group share its key, and may differ in the moments behind it.
  if (op === 'read' && first && second && !proof.grouped.has(first)) {
    const inner = momentOf(proof, second);
    return inner && proof.term('read', first, inner);
  }
  const parts = op === 'tuple' ? args.flatMap((one) => momentOf(proof, one) ?? []) : [];
  return parts.length > 0 && parts.length === args.length ? proof.term('tuple', ...parts) : null;
}

const dayType = ({ term }: Proof): Term => term('fields to', term('fields data_type', term('text date')));
