import { requestAnswer } from '../../shared/client/api.ts';
import type { AgentCheckResponse } from '../../shared/contract/agent-checks.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { nearest } from '../../shared/domain/lineage/names/nearest.ts';
import { notFound } from '../outcome.ts';
import type { Session } from '../session.ts';
import { printable } from '../terminal/terminal.ts';

export const checkList = (session: Session) => requestAnswer(session, routes.listChecks);

/** The check of an id or a name. Throws CommandError: not found, or more than one of the name. */
export function checkOf(all: readonly AgentCheckResponse[], reference: string): AgentCheckResponse {
  const found = all.filter(({ id, name }) => reference === id || reference === name);
  const [first, second] = found;
  const shown = printable(JSON.stringify(reference));
  if (first === undefined)
    throw notFound(`There is no check ${shown}.`, [
      all.length === 0
        ? 'There are no checks yet. Create one: tributary checks create NAME --expect TEXT'
        : `There are: ${printable(
            nearest(
              reference,
              all.map(({ name }) => name),
            ).join(', '),
          )}`,
    ]);
  if (second !== undefined)
    throw notFound(`${found.length} checks are called ${shown}.`, [
      `Use an id: ${printable(found.map(({ id }) => id).join(', '))}`,
    ]);
  return first;
}
