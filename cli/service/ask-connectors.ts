import { notFound } from '../command-error.ts';
import type { Place, Session } from '../session.ts';
import { printable } from '../terminal/printable.ts';

/** What a connector answered about a relation. */
export type ConnectorAnswer<A> = { readonly connector: Place; readonly json: unknown; readonly answer: A };

/**
 * Asks every connector on which a name may be meant: the one that is chosen, else all of the workspace.
 *
 * @param meant names what an answer is about, or is null where the connector does not know the name
 * @returns the answer of a connector that knows the name, alone; where none does, all answers. Throws CommandError where
 * connectors mean different relations by it.
 */
export async function askConnectors<A>(
  session: Session,
  ask: (connector: Place) => Promise<ConnectorAnswer<A>>,
  meant: (answer: A) => string | null,
): Promise<readonly [ConnectorAnswer<A>, ...ConnectorAnswer<A>[]]> {
  const answers = await Promise.all((await session.connectors()).map(ask));
  const known = answers.filter(({ answer }) => meant(answer) !== null);
  if (new Set(known.map(({ answer }) => meant(answer))).size > 1)
    throw notFound('The name means another relation on each of several connectors.', [
      'Choose one with --connector:',
      ...known.map(({ connector, answer }) => `  ${printable(`${connector.name}: ${meant(answer)}`)}`),
    ]);
  const [first, ...others] = known.length > 0 ? known.slice(0, 1) : answers;
  if (first === undefined) throw notFound('There is no connector.');
  return [first, ...others];
}
