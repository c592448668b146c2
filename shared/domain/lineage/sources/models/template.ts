/** What stands between braces of a dbt template. */
type Tag =
  | { readonly kind: 'this' }
  /** A model or a source, as the template names it. */
  | { readonly kind: 'name'; readonly names: readonly string[] }
  /** Without a meaning for lineage: a comment, or the model's configuration. */
  | { readonly kind: 'empty' }
  /** `{% … %}`. */
  | { readonly kind: 'statement' }
  | { readonly kind: 'unknown' };

const refCall = /^ref\(\s*(?:['"][^'"]*['"]\s*,\s*)?['"]([^'"]+)['"]/;
const sourceCall = /^source\(\s*['"]([^'"]+)['"]\s*,\s*['"]([^'"]+)['"]/;

function tagOf(opening: string, expression: string): Tag {
  if (opening === '{%') return { kind: 'statement' };
  if (opening === '{#' || /^config\s*\(/.test(expression)) return { kind: 'empty' };
  if (expression === 'this') return { kind: 'this' };
  const [, ...names] = refCall.exec(expression) ?? sourceCall.exec(expression) ?? [];
  return names.length > 0 ? { kind: 'name', names } : { kind: 'unknown' };
}

const closing: Readonly<Record<string, string>> = { '{{': '}}', '{%': '%}', '{#': '#}' };

/** The text of a dbt model with its tags replaced; a tag whose replacement is null stays as it is. */
export function filledTemplate(text: string, replacementOf: (tag: Tag) => string | null): string {
  let plain = '';
  let at = 0;
  for (const { 0: opening, index } of text.matchAll(/\{[{%#]/g)) {
    if (index < at) continue;
    const end = text.indexOf(closing[opening] ?? '', index + 2);
    // Searched only once: in a text of only openings, each search would scan to the end.
    if (end < 0) break;
    const expression = text
      .slice(index + 2, end)
      .replace(/^-|-$/g, '')
      .trim();
    const replacement = replacementOf(tagOf(opening, expression));
    plain += text.slice(at, index) + (replacement ?? text.slice(index, end + 2));
    at = end + 2;
  }
  return plain + text.slice(at);
}

/** dbt names a model by its file. */
export const modelOfFile = (path: string): string => (path.split('/').at(-1) ?? path).replace(/\.[^.]*$/, '');
