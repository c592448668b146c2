// The whole graph of a service, an OpenLineage event a line.
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { routes } from '../../shared/contract/api/routes.ts';
import type { Session } from '../session.ts';

type Wanted = { readonly connector?: string | undefined; readonly events?: string | undefined };

/** Throws ApiFailure, Unreachable before the first line. */
export async function exportLines(session: Session, { connector, events }: Wanted): Promise<AsyncGenerator<string>> {
  const [api, workspace] = [await session.api(), await session.workspace()];
  const query = { workspace_id: workspace.id, connector_id: connector, output: 'ndjson', profile: events };
  return linesOf(await api.stream(routes.exportLineage, { query }));
}

/** Begins to read when it is iterated: until then, an interface of readline loses the lines that come. */
async function* linesOf({ body }: Response): AsyncGenerator<string> {
  yield* createInterface({ input: Readable.from(body ?? []), crlfDelay: Number.POSITIVE_INFINITY });
}
