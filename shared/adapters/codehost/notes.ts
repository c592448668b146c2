import * as v from 'valibot';
import type { CodehostKind } from '../../contract/codehost-apps.ts';
import { asNote } from '../../domain/lineage/report/diff-report.ts';
import { callData, type RestClient } from './rest-client.ts';

type PullRequestPlace = { readonly kind: CodehostKind; readonly repository: string; readonly number: number };

/** GitHub names people by login, GitLab by id. */
const Author = v.object({ id: v.number(), login: v.nullish(v.string()) });
const Note = v.object({
  id: v.number(),
  body: v.nullish(v.string(), ''),
  html_url: v.nullish(v.string(), null),
  user: v.nullish(v.object({ login: v.string() })),
  author: v.nullish(v.object({ id: v.number() })),
});
type Written = { readonly action: 'created' | 'updated'; readonly id: number; readonly html_url: string | null };

const perPage = 100;
const maxPages = 30;

/** Who owns the token, as notes name their authors. */
export async function tokenOwner(rest: RestClient): Promise<string> {
  const { id, login } = v.parse(Author, await callData(rest, 'GET /user'));
  return login ?? String(id);
}

/** Writes the one note with the marker at a pull request. Others can write the marker, but not as this author. */
export async function writeNote(
  rest: RestClient,
  place: PullRequestPlace,
  { author, marker, text }: { readonly author: string; readonly marker: string; readonly text: string },
): Promise<Written> {
  const { all, one, of, order } = routesOf(place);
  const body = asNote(marker, text);
  const call = (route: string, parameters: object) => callData(rest, route, { ...of, ...parameters });
  for (let page = 1; page <= maxPages; page++) {
    const notes = v.parse(v.array(Note), await call(`GET ${all}`, { ...order, per_page: perPage, page }));
    const own = notes.find(
      (one) =>
        (one.user?.login ?? String(one.author?.id)) === author && one.body.startsWith(asNote(marker, '').trimEnd()),
    );
    const isChanged = own && own.body.trim() !== body.trim();
    const note = isChanged ? v.parse(Note, await call(one, { note: own.id, body })) : own;
    if (note) return { ...note, action: 'updated' };
    if (notes.length < perPage) break;
  }
  return { ...v.parse(Note, await call(`POST ${all}`, { body })), action: 'created' };
}

function routesOf({ kind, repository, number }: PullRequestPlace) {
  if (kind === 'gitlab') {
    const all = `/projects/{id}/merge_requests/${number}/notes`;
    return { all, one: `PUT ${all}/{note}`, of: { id: repository }, order: { sort: 'asc', order_by: 'created_at' } };
  }
  const [owner, repo] = repository.split('/');
  const issues = '/repos/{owner}/{repo}/issues';
  return {
    all: `${issues}/${number}/comments`,
    one: `PATCH ${issues}/comments/{note}`,
    of: { owner, repo },
    order: {},
  };
}
