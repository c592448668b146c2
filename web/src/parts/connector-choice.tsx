import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Workspace } from '../api/queries.ts';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';

/** The connector that the address names, else the first of the workspace. */
export function useConnector(workspace: Workspace | null): string {
  const { connector } = useSearch({ strict: false }) as Record<string, string>;
  return connector ?? workspace?.connectors[0]?.id ?? '';
}

type ConnectorChoiceProps = {
  readonly workspace: Workspace;
  readonly page: '/changes' | '/policy';
  readonly chosen: string;
  /** Whether all may be meant together. */
  readonly all?: boolean;
};

export function ConnectorChoice({ workspace, page, chosen, all = false }: ConnectorChoiceProps) {
  const navigate = useNavigate();
  return (
    <label className="field">
      {texts.connector}
      <select
        value={chosen}
        onChange={({ target }) =>
          void navigate({ to: page, search: (before) => ({ ...before, connector: target.value }) })
        }
      >
        {all && <option value="">{texts.allConnectors}</option>}
        {workspace.connectors.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

export function ConnectorField() {
  const workspace = useWorkspace();
  return (
    <label>
      {texts.connector}
      <select name="connector">
        {workspace?.connectors.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
