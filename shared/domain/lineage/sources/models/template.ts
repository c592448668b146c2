/** What a tag of a dbt template says, if all of its expression is understood. */
export type Tag =
  | { readonly kind: 'this' | 'comment' | 'statement' | 'unknown' }
  | ({ readonly kind: 'ref' } & ModelReference)
  | { readonly kind: 'source'; readonly source: string; readonly table: string }
  | { readonly kind: 'config'; readonly settings: TemplateSettings };

/** What `ref()` names; null where it leaves the choice to dbt. */
type ModelReference = {
  readonly package: string | null;
  readonly name: string;
  readonly version: string | null;
};

/** The arguments of `config()` by name, as JSON; of one that is no literal `=` and its text. */
export type TemplateSettings = ReadonlyMap<string, string>;

function tagOf(opening: string, expression: string): Tag {
  if (opening === '{#') return { kind: 'comment' };
  if (opening === '{%') return { kind: 'statement' };
  if (expression === 'this') return { kind: 'this' };
  return callTag(callOf(expression)) ?? { kind: 'unknown' };
}

function callTag(call: Call | null): Tag | null {
  if (call === null) return null;
  const { name, values, named } = call;
  if (name === 'config') return values.length === 0 ? { kind: 'config', settings: named } : null;
  const texts = values.map(textOf);
  const [first, second, ...more] = texts;
  if (typeof first !== 'string' || second === null || more.length > 0) return null;
  if (name === 'source' && second !== undefined && named.size === 0)
    return { kind: 'source', source: first, table: second };
  if (name !== 'ref') return null;
  const [[key, version] = [], ...others] = named;
  if (others.length > 0 || (key !== undefined && !['v', 'version'].includes(key)) || version?.startsWith('='))
    return null;
  const reference = second === undefined ? { package: null, name: first } : { package: first, name: second };
  return { kind: 'ref', ...reference, version: version === undefined ? null : String(JSON.parse(version)) };
}

const textOf = (value: string | null): string | null => {
  const read: unknown = value === null ? null : JSON.parse(value);
  return typeof read === 'string' ? read : null;
};

type Call = {
  readonly name: string;
  /** As JSON; null if it is no literal. */
  readonly values: readonly (string | null)[];
  readonly named: TemplateSettings;
};

/** A string that does not end reaches to the end, so that no text is searched twice. */
const token = /\s+|'(?:[^'\\]|\\[\s\S])*'?|"(?:[^"\\]|\\[\s\S])*"?|[A-Za-z_]\w*|-?\d+(?:\.\d+)?|[\s\S]/g;

/** A call that is the whole expression; null if the expression is anything else. */
function callOf(expression: string): Call | null {
  const words = (expression.match(token) ?? []).filter((word) => word.trim() !== '');
  const [name = '', open] = words;
  if (!/^[a-z_]+$/.test(name) || open !== '(' || words.at(-1) !== ')') return null;
  const items = splitAt(',', words.slice(2, -1));
  if (items === null) return null;
  const values: (string | null)[] = [];
  const named = new Map<string, string>();
  for (const argument of items) {
    const [key = '', equals, ...rest] = argument;
    if (equals === '=' && /^\w+$/.test(key)) named.set(key, literalOf(rest) ?? `=${rest.join(' ')}`);
    else values.push(literalOf(argument));
  }
  return { name, values, named };
}

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** The parts between separators that no brackets hold; null if the brackets do not match. */
function splitAt(separator: string, words: readonly string[]): string[][] | null {
  const parts: string[][] = [[]];
  const open: string[] = [];
  for (const word of words) {
    if (word in closing) open.push(closing[word] ?? '');
    else if (')]}'.includes(word) && open.pop() !== word) return null;
    if (word === separator && open.length === 0) parts.push([]);
    else parts.at(-1)?.push(word);
  }
  // A separator at the end separates nothing.
  if (parts.at(-1)?.length === 0) parts.pop();
  return open.length === 0 ? parts : null;
}

const constants: Readonly<Record<string, unknown>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
};

/** A literal as JSON; null if it is none. */
function literalOf(words: readonly string[]): string | null {
  const [first = '', ...rest] = words;
  if (rest.length === 0) {
    if (/^['"]/.test(first)) return JSON.stringify(first.slice(1, -1).replace(/\\([\s\S])/g, '$1'));
    if (/^-?\d/.test(first)) return String(Number(first));
    return first in constants ? JSON.stringify(constants[first]) : null;
  }
  const inner = words.slice(1, -1);
  const items = closing[first] === words.at(-1) ? splitAt(',', inner) : null;
  if (items === null || (first !== '[' && first !== '{')) return null;
  const texts = items.map((item) => (first === '[' ? literalOf(item) : pairOf(item)));
  return texts.includes(null) ? null : first === '[' ? `[${texts.join(',')}]` : `{${texts.join(',')}}`;
}

function pairOf(words: readonly string[]): string | null {
  const [key, value, ...more] = (splitAt(':', words) ?? []).map(literalOf);
  return key && value && more.length === 0 ? `${key}:${value}` : null;
}

const closingTag: Readonly<Record<string, string>> = { '{{': '}}', '{%': '%}', '{#': '#}' };

/** The text of a dbt model with its tags replaced; a tag whose replacement is null stays as it is. */
export function filledTemplate(text: string, replacementOf: (tag: Tag) => string | null): string {
  let plain = '';
  let at = 0;
  for (const { 0: opening, index } of text.matchAll(/\{[{%#]/g)) {
    if (index < at) continue;
    const end = text.indexOf(closingTag[opening] ?? '', index + 2);
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

/** What `config()` sets in a template. */
export function templateSettings(text: string): TemplateSettings {
  const settings = new Map<string, string>();
  filledTemplate(text, (tag) => {
    if (tag.kind === 'config') for (const [name, value] of tag.settings) settings.set(name, value);
    return null;
  });
  return settings;
}

/** dbt names a model by its file. */
export const modelOfFile = (path: string): string => (path.split('/').at(-1) ?? path).replace(/\.[^.]*$/, '');
