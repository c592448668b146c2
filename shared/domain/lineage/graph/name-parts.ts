/** Of a name's parts the first and the last are findable, where it has more. */
const firstParts = 8;
const lastParts = 24;
/** Code points of what follows a part's beginning: a sort key holds 1,024 bytes. */
const longestTail = 200;

/**
 * What a name reads like from the beginning of each of its parts on, in lower case. Parts end at everything that is
 * neither a letter nor a number, and where the case changes (C-RELATION-1).
 */
export function nameTails(name: string): string[] {
  const starts = [...name.matchAll(/[\p{L}\p{N}]/gu)].map(({ index }) => index).filter((at) => beginsPart(name, at));
  const chosen =
    starts.length > firstParts + lastParts ? [...starts.slice(0, firstParts), ...starts.slice(-lastParts)] : starts;
  const tails = (chosen.length === 0 ? [0] : chosen).map((at) => cut(name.slice(at).toLowerCase()));
  return [...new Set(tails)].filter((tail) => tail !== '');
}

/**
 * A database, a host or the scheme of an address: many names share what stands before their first dot or slash. How far
 * it reaches, the separator included; 0 where no part follows.
 */
function leadingLength(name: string): number {
  const separator = name.search(/[./]/);
  return separator >= 0 && /[\p{L}\p{N}]/u.test(name.slice(separator)) ? separator + 1 : 0;
}

/** The tails by which a name is indexed: those of its leading part are common, and are indexed once for all names. */
export function indexedTails(name: string): { readonly own: string[]; readonly leading: string[] } {
  const length = leadingLength(name);
  return { own: nameTails(name.slice(length)), leading: nameTails(name.slice(0, Math.max(0, length - 1))) };
}

/** What tails of the leading parts of names that match a word begin with; null where the word goes beyond them. */
export function leadingBeginning(word: string): string | null {
  if (leadingLength(word) > 0) return null;
  const last = [...word.matchAll(/[\p{L}\p{N}]/gu)].at(-1);
  const end = last ? last.index + last[0].length : 0;
  const separator = word.slice(end).search(/[./]/);
  return separator < 0 ? word : word.slice(0, end + separator);
}

/** What the indexed tails of the names that match a word begin with. */
export function indexedBeginning(word: string): string {
  const length = leadingLength(word);
  return length === 0 ? word : word.slice(length).replace(/^[^\p{L}\p{N}]+/u, '');
}

const letterOrNumber = /[\p{L}\p{N}]$/u;
const lower = /\p{Ll}$/u;
const upper = /\p{Lu}$/u;

function beginsPart(name: string, at: number): boolean {
  const before = name.slice(Math.max(0, at - 2), at);
  if (!letterOrNumber.test(before)) return true;
  const [own = '', next = ''] = name.slice(at, at + 4);
  if (!upper.test(own)) return false;
  // `customerOrders` has two parts, and so has `HTTPServer`.
  return !upper.test(before) || lower.test(next);
}

/** The words of a search: each has to be the beginning of a part. */
export const searchWords = (query: string): string[] => [
  ...new Set(
    query
      .toLowerCase()
      .split(/\s+/)
      .map((word) => cut(word.slice(Math.max(0, word.search(/[\p{L}\p{N}]/u)))))
      .filter((word) => word !== ''),
  ),
];

/** How a column is indexed, and how what is searched for is compared with it. */
export const indexedColumn = (name: string): string => cut(name.toLowerCase());

const cut = (text: string): string => (text.length <= longestTail ? text : [...text].slice(0, longestTail).join(''));
