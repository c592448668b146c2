import * as v from 'valibot';
import { ApiFailure } from '../../shared/client/api-failure.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { notFound } from '../outcome.ts';
import type { Place, Session } from '../session.ts';

/** The chosen connector, or the one that knows the name, else all (C-IDENTITY-16). Throws if several know the name. */
export async function connectorsKnowing(
  session: Session,
  relation_ref: string,
  as_of?: string,
): Promise<readonly [Place, ...Place[]]> {
  const [first, ...others] = await session.connectors();
  if (first === undefined) throw notFound('There is no connector.');
  if (others.length === 0) return [first];
  try {
    const found = v.parse(Owned, await session.ask(routes.getRelation, { query: { relation_ref, as_of } }));
    // What no connector owns is the same relation on each of them.
    return [[first, ...others].find(({ id }) => id === found.connector_id) ?? first];
  } catch (error) {
    if (error instanceof ApiFailure && error.detail?.code === 'not_found') return [first, ...others];
    throw error;
  }
}

const Owned = v.object({ connector_id: v.nullable(v.string()) });
