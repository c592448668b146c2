import * as v from 'valibot';
import type { Route } from '../contract/route.ts';
import { type Answer, type Api, type Endpoint, type Question, readAnswer } from './api.ts';

const Page = v.looseObject({ items: v.array(v.unknown()), next_cursor: v.nullish(v.string()) });

/** Every page of a list in one answer of the first page's shape, up to `most` items; the cursor goes on after them. */
export async function allPages(
  api: Pick<Api, 'ask'>,
  route: Endpoint,
  question: Question,
  most = Number.POSITIVE_INFINITY,
) {
  let page = v.parse(Page, await api.ask(route, question));
  const items = [...page.items];
  while (typeof page.next_cursor === 'string' && items.length < most) {
    const query = { ...question.query, cursor: page.next_cursor };
    page = v.parse(Page, await api.ask(route, { ...question, query }));
    items.push(...page.items);
  }
  return { ...page, items };
}

/** The items of a list as its route declares them. */
export type Items<R extends Route> =
  Answer<R> extends { readonly items: infer Found extends readonly unknown[] } ? Found : never;

/** Reads the items of pages of a list. Throws ValiError. */
export const readItems = <R extends Route>(route: R, page: unknown): Items<R> =>
  (readAnswer(route, page) as { readonly items: Items<R> }).items;

/** The items of every page of a list, read. Throws ApiFailure, Unreachable, ValiError. */
export const requestItems = async <R extends Route>(
  api: Pick<Api, 'ask'>,
  route: R,
  question: Question = {},
): Promise<Items<R>> => readItems(route, await allPages(api, route, question));
