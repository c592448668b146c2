import type { Analysis, NameScope } from './name-scope.ts';
import { merge, type Provenance, through } from './provenance.ts';
import { listOf, type SyntaxFields } from './syntax.ts';

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
  const values = operands(fields).map((operand) => analysis.expression(analysis, operand, scope));
  return merge([
    ...values.map((value) => through(value, 'TRANSFORMATION')),
    ...values.slice(0, -1).map((value) => through(value, 'CONDITIONAL')),
  ]);
}

/** `nullif(a, b)`: both are compared, the first is the result. */
export function comparingValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  const values = operands(fields).map((operand) => analysis.expression(analysis, operand, scope));
  return merge([
    ...values.slice(0, 1).map((value) => through(value, 'TRANSFORMATION')),
    ...values.map((value) => through(value, 'CONDITIONAL')),
  ]);
}

function operands(fields: SyntaxFields): readonly unknown[] {
  const listed = listOf(fields['expressions'] ?? fields['args']);
  return listed.length > 0 ? listed : [fields['this'], fields['expression']];
}

type Choice = { readonly conditions: readonly unknown[]; readonly results: readonly unknown[] };

function choice(analysis: Analysis, { conditions, results }: Choice, scope: NameScope): Provenance {
  return merge([
    ...conditions.map((item) => through(analysis.expression(analysis, item, scope), 'CONDITIONAL')),
    ...results.map((item) => through(analysis.expression(analysis, item, scope), 'TRANSFORMATION')),
  ]);
}
