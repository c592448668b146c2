import { placeOfName } from '../../contract/field-errors.ts';
import { Problem } from '../../contract/problems.ts';
import type { RefusedJson } from './read-json.ts';

type Code = 'invalid_json' | 'openlineage_invalid_json';

/** The refusal of a body that is no JSON (400); where an object has a key twice, with its place. */
export function malformedJson(code: Code, { namedTwice }: RefusedJson): Problem {
  if (namedTwice === null) return new Problem(code);
  const errors = [{ path: placeOfName(namedTwice), message: 'must be named once in its object' }];
  const hint = code === 'openlineage_invalid_json' ? facetHint(namedTwice) : null;
  return new Problem(code, { errors, ...(hint !== null && { hint }) });
}

/** OpenLineage's listener for Spark writes a facet twice that two of its builders make; it can leave each out by name. */
function facetHint(path: readonly (string | number)[]): string | null {
  const [holder = '', facet = ''] = path.slice(-2).map(String);
  if (!/facets$/i.test(holder) || !/^[\w-]{1,100}$/.test(facet)) return null;
  return `The listener for Spark leaves this facet out by the setting spark.openlineage.facets.${facet}.disabled=true.`;
}
