/** Where GitHub looks for owners, in its order. */
export const codeownersPaths = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'] as const;

type Rule = {
  readonly segments: readonly string[];
  readonly isAnchored: boolean;
  readonly isFolder: boolean;
  readonly owners: readonly string[];
};

/** A larger file is none to the host either. */
const maxBytes = 3 * 1024 * 1024;

/** The owners of a path by a CODEOWNERS file: those of the last rule that fits. Paths have no slash at their beginning. */
export function ownersBy(bytes: Uint8Array): (path: string) => readonly string[] {
  const text = bytes.length > maxBytes ? '' : new TextDecoder().decode(bytes);
  const rules = text.split('\n').flatMap(ruleOf).reverse();
  return (path) => {
    const parts = path.split('/');
    return rules.find((rule) => fits(rule, parts))?.owners ?? [];
  };
}

/** A word ends at white space that no backslash keeps in it. */
const word = /(?:\\.|[^\s\\])+/g;

function ruleOf(line: string): Rule[] {
  const [first = '', ...rest] = line.match(word) ?? [];
  // Of the rules of .gitignore, the host takes neither negations and ranges nor a comment sign that is kept from being one.
  if (first === '' || /^[#!]|^\\#|\[/.test(first)) return [];
  const pattern = first.replaceAll(/\\(.)/g, '$1');
  const comment = rest.findIndex((one) => one.startsWith('#'));
  const owners = comment < 0 ? rest : rest.slice(0, comment);
  const segments = pattern.split('/').filter(Boolean);
  // As in .gitignore: a slash other than the last one ties a pattern to the root.
  return [{ segments, isAnchored: pattern.slice(0, -1).includes('/'), isFolder: pattern.endsWith('/'), owners }];
}

function fits({ segments, isAnchored, isFolder }: Rule, parts: readonly string[]): boolean {
  const starts = isAnchored ? [0] : parts.map((_, i) => i);
  return starts.some((start) => matches(segments, parts.slice(start), isFolder));
}

/**
 * A pattern is of everything below what it names, but one that ends in `*` of what lies directly there. Works through the
 * pattern once for each way to begin: never in more steps than the two lengths multiplied.
 */
function matches(segments: readonly string[], parts: readonly string[], isFolder: boolean): boolean {
  let reached = new Set([0]);
  for (const segment of segments) {
    const next = new Set<number>();
    for (const at of reached) {
      if (segment === '**') for (let to = at; to <= parts.length; to++) next.add(to);
      else if (at < parts.length && fitsName(segment, parts[at] ?? '')) next.add(at + 1);
    }
    reached = next;
  }
  if (isFolder) return [...reached].some((at) => at < parts.length);
  return segments.at(-1) === '*' ? reached.has(parts.length) : reached.size > 0;
}

/** `*` is any characters of a name, `?` one of them. */
function fitsName(pattern: string, name: string): boolean {
  let reached = new Set([0]);
  for (const sign of pattern) {
    const next = new Set<number>();
    for (const at of reached) {
      if (sign === '*') for (let to = at; to <= name.length; to++) next.add(to);
      else if (at < name.length && (sign === '?' || name[at] === sign)) next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(name.length);
}
