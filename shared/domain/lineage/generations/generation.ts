import type { WorkspaceId } from '../../../contract/ids.ts';
import type { Names } from './graph-record.ts';

/**
 * The name under which the stores of the graph keep one generation of a workspace's graph (ADR 5). Ids hold no `~`, so
 * no workspace is another's generation.
 */
export const graphOf = (workspace: WorkspaceId, generation: number): WorkspaceId =>
  generation === 0 ? workspace : (`${workspace}~${generation}` as WorkspaceId);

/** The stores that readers of the graph work with: each takes the workspace first. */
const graphStores = [
  'pages',
  'scopes',
  'details',
  'derivations',
  'schemas',
  'directory',
  'names',
  'columns',
  'claims',
] as const;

type Store = Readonly<Record<string, (...parameters: never[]) => unknown>>;

/** The same ports, their stores of the graph reading and writing one generation. */
export function ofGeneration<P extends object>(ports: P, generation: number): P {
  if (generation === 0) return ports;
  const bound = graphStores.flatMap((name) => {
    const store = (ports as Readonly<Record<string, Store | undefined>>)[name];
    return store ? [[name, boundStore(store, generation)] as const] : [];
  });
  return { ...ports, ...Object.fromEntries(bound) };
}

/** The same with what is forgotten, as readers of the graph need it. */
export const graphNamed = <P extends object>(
  ports: P,
  { generation, forgotten }: Pick<Names, 'generation' | 'forgotten'>,
): P & Pick<Names, 'forgotten'> => ({ ...ofGeneration(ports, generation), forgotten });

const boundStore = (store: Store, generation: number) =>
  Object.fromEntries(
    Object.entries(store).map(([name, method]) => [
      name,
      (workspace: WorkspaceId, ...rest: unknown[]) =>
        (method as (...parameters: unknown[]) => unknown)(graphOf(workspace, generation), ...rest),
    ]),
  );
