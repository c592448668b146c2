import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { relationQuery } from '../api/queries.ts';
import { texts } from '../texts.ts';
import type { Address, Change } from './address.ts';

type ColumnsPanelProps = {
  readonly workspaceId: string;
  readonly address: Address;
  readonly change: Change;
  /** Columns of the root that the answer names. */
  readonly seen: readonly string[];
};

/** From here on one would search rather than read. */
const many = 12;

/** The root's columns: those that are checked are asked for. */
export function ColumnsPanel({ workspaceId, address, change, seen }: ColumnsPanelProps) {
  const [filter, setFilter] = useState('');
  const { data, isPending } = useQuery(relationQuery(workspaceId, address.connector, address.relation));
  const types = new Map((data?.columns ?? []).map(({ name, type }) => [name, type ?? null]));
  for (const column of [...seen, ...address.column]) if (!types.has(column)) types.set(column, null);
  const shown = [...types].filter(([name]) => name.toLowerCase().includes(filter.toLowerCase()));
  const toggle = (name: string) =>
    change({
      column: address.column.includes(name) ? address.column.filter((one) => one !== name) : [...address.column, name],
      edge: null,
    });
  return (
    <fieldset className="columns-panel card">
      <legend className="panel-title">{texts.lineage.columnsTitle}</legend>
      <p className="dim">{texts.lineage.askColumns}</p>
      {types.size > many && (
        <input
          type="text"
          aria-label={texts.lineage.columnsFilter}
          placeholder={texts.lineage.columnsFilter}
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
        />
      )}
      {types.size === 0 && <p className="dim">{isPending ? texts.loading : texts.lineage.columnsNone}</p>}
      <div className="columns-list">
        {shown.map(([name, type]) => (
          <label key={name} className="check">
            <input
              type="checkbox"
              aria-label={name}
              checked={address.column.includes(name)}
              onChange={() => toggle(name)}
            />
            <span className="ref">{name}</span>
            {type && <span className="dim">{type}</span>}
          </label>
        ))}
      </div>
      {address.column.length > 0 && (
        <button type="button" onClick={() => change({ column: [], edge: null })}>
          {texts.lineage.columnsClear}
        </button>
      )}
    </fieldset>
  );
}
