import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import { texts } from '../texts.ts';
import { columnKey, usePicture } from './active.ts';
import { nameOf, type RelationPoint } from './groups.ts';
import { sizes } from './layout.ts';
import { NodeTools } from './node-tools.tsx';

export type RelationNodeType = Node<{ readonly point: RelationPoint; readonly mark?: string }, 'relation'>;

/** A relation of the picture, with the columns that the question touches. */
export function RelationNode({ data: { point, mark } }: NodeProps<RelationNodeType>) {
  const { root, active, activate, focused, move, withColumns, path } = usePicture();
  const button = useRef<HTMLButtonElement>(null);
  const { id, relation, row } = point;
  const isFocused = focused === id;
  useEffect(() => {
    if (isFocused) button.current?.focus({ preventScroll: true });
  }, [isFocused]);
  const columns = withColumns ? point.columns : [];
  return (
    <div
      className="relation"
      data-root={relation === root}
      data-side={row?.direction}
      data-stale={row?.status === 'stale'}
      data-active={active === id}
      data-mark={mark}
      data-dimmed={path !== null && !path.has(id)}
    >
      <Handle type="target" position={Position.Left} isConnectable={false} style={{ top: sizes.head / 2 }} />
      <button
        ref={button}
        type="button"
        className="relation-name nodrag"
        data-note={mark ?? (row && !plainKinds.includes(row.kind) ? row.kind : undefined)}
        aria-label={describe(point, relation === root, mark)}
        onClick={() => activate(id)}
        onFocus={() => activate(id)}
        onKeyDown={(event) => {
          if (!event.key.startsWith('Arrow')) return;
          event.preventDefault();
          move(id, event.key);
        }}
      >
        <span className="relation-schema">{relation.slice(0, -nameOf(relation).length)}</span>
        <span className="relation-table">{nameOf(relation)}</span>
      </button>
      {columns.length > 0 && (
        <ul className="relation-columns" aria-label={texts.lineage.columnsTitle}>
          {columns.map((column) => (
            <Column key={column} relation={relation} column={column} />
          ))}
        </ul>
      )}
      <Handle type="source" position={Position.Right} isConnectable={false} style={{ top: sizes.head / 2 }} />
      {active === id && root !== '' && <NodeTools relation={relation} isRoot={relation === root} />}
    </div>
  );
}

/** What goes without saying. */
const plainKinds = ['table', 'relation'];

function Column({ relation, column }: { readonly relation: string; readonly column: string }) {
  const { address, light, litColumns, root } = usePicture();
  const key = columnKey(relation, column);
  return (
    <li
      data-lit={litColumns.has(key)}
      data-asked={relation === root && address.column.includes(column)}
      onMouseEnter={() => light(key)}
      onMouseLeave={() => light(null)}
    >
      <Handle type="target" id={`in ${column}`} position={Position.Left} isConnectable={false} />
      {column}
      <Handle type="source" id={`out ${column}`} position={Position.Right} isConnectable={false} />
    </li>
  );
}

function describe({ relation, row, columns }: RelationPoint, isRoot: boolean, mark?: string): string {
  return [
    relation,
    row?.kind,
    isRoot ? texts.lineage.root : row && texts.lineage.steps(row.depth, row.direction),
    row?.status === 'stale' && texts.lineage.statuses.stale.toLowerCase(),
    !isRoot && columns.length > 0 && texts.lineage.affected(columns.length),
    mark,
  ]
    .filter(Boolean)
    .join(', ');
}
