import type { Analysis, NameScope } from './name-scope.ts';
import { merge, through } from './provenance.ts';
import { listOf, type SyntaxFields } from './syntax.ts';
import type { Provenance } from './types.ts';

/** What chooses between values is a condition of the result; each value that may be chosen is a source. */
export function caseValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  const whens = listOf(fields['whens']).map(listOf);
  const conditions = [fields['operand'], ...whens.map(([condition]) => condition)];
  return choice(analysis, { conditions, results: [...whens.map(([, result]) => result), fields['else_']] }, scope);
}

/** `if(c, a, b)` and `nvl2(c, a, b)`. */
export function conditionalValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  const condition = fields['condition'] ?? fields['this'];
  return choice(analysis, { conditions: [condition], results: [fields['true_value'], fields['false_value']] }, scope);
}

/** `coalesce(a, b)`: each operand but the last is compared with NULL too. */
export function defaultingValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  const values = operands(fields).map((operand) => analysis.expression(operand, scope));
  return withConditions(values, values.slice(0, -1));
}

/** `nullif(a, b)`: both are compared, the first is the result. */
export function comparingValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  const values = operands(fields).map((operand) => analysis.expression(operand, scope));
  return withConditions(values.slice(0, 1), values);
}

const withConditions = (results: readonly Provenance[], conditions: readonly Provenance[]): Provenance =>
  merge([
    ...results.map((value) => through(value, 'TRANSFORMATION')),
    ...conditions.map((value) => through(value, 'CONDITIONAL')),
  ]);

/** `decode(a, 1, b, 2, c, d)` compares `a`; with two operands it is another function. */
export function decodedValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  const [compared, ...cases] = operands(fields);
  if (cases.length < 2) return choice(analysis, { conditions: [], results: operands(fields) }, scope);
  const { conditions, results } = alternating(cases);
  return choice(analysis, { conditions: [compared, ...conditions], results }, scope);
}

/** ClickHouse's `multiIf(c, a, d, b, e)`. */
export const branchedValue = (analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance =>
  choice(analysis, alternating(operands(fields)), scope);

/** `choose(1, a, b)` and `elt(1, a, b)`. */
export function chosenValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  const [place, ...results] = operands(fields);
  return choice(analysis, { conditions: [place], results }, scope);
}

/** Conditions, each with its result behind it; a final one without condition is the default. */
function alternating(items: readonly unknown[]): Choice {
  const isResult = (place: number) => place % 2 === 1 || place === items.length - 1;
  return {
    conditions: items.filter((_, place) => !isResult(place)),
    results: items.filter((_, place) => isResult(place)),
  };
}

function operands(fields: SyntaxFields): readonly unknown[] {
  const listed = listOf(fields['expressions'] ?? fields['args']);
  return listed.length > 0 ? listed : [fields['this'], fields['expression']];
}

type Choice = { readonly conditions: readonly unknown[]; readonly results: readonly unknown[] };

function choice(analysis: Analysis, { conditions, results }: Choice, scope: NameScope): Provenance {
  return merge([
    ...conditions.map((item) => through(analysis.expression(item, scope), 'CONDITIONAL')),
    ...results.map((item) => through(analysis.expression(item, scope), 'TRANSFORMATION')),
  ]);
}
