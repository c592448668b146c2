import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Workspace } from '../api/queries.ts';
import { texts } from '../texts.ts';
import { Choice } from './fields.tsx';

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
  const names = Object.fromEntries(workspace.connectors.map(({ id, name }) => [id, name]));
  return (
    <Choice
      className="field"
      label={texts.connector}
      value={chosen}
      options={all ? { '': texts.allConnectors, ...names } : names}
      choose={(connector) => void navigate({ to: page, search: (before) => ({ ...before, connector }) })}
    />
  );
}
