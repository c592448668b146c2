import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import { texts } from '../texts.ts';
import { columnKey, useIsHere, usePicture } from './active.ts';
import { nameOf, type RelationPoint } from './groups.ts';
import { sizes } from './layout.ts';
import { NodeTools } from './node-tools.tsx';

export type RelationNodeType = Node<
  {
    readonly point: RelationPoint;
    readonly mark?: string;
    /** Whether it is too small for anything in it to be read, and has no lines of its own. */
    readonly isSpeck: boolean;
  },
  'relation'
>;

/** A relation of the picture, with the columns that the question touches. */
export function RelationNode({ data: { point, mark, isSpeck } }: NodeProps<RelationNodeType>) {
  const { root, place, move, withColumns, path } = usePicture();
  const button = useRef<HTMLButtonElement>(null);
  const { id, relation, row } = point;
  const { isActive, isFocused } = useIsHere(id);
  useEffect(() => {
    if (isFocused) button.current?.focus({ preventScroll: true });
  }, [isFocused]);
  const columns = withColumns && !isSpeck ? point.columns : [];
  return (
    <div
      className="relation"
      data-root={relation === root}
      data-side={row?.direction}
      data-stale={row?.status === 'stale'}
      data-active={isActive}
      data-mark={mark}
      data-dimmed={path !== null && !path.has(id)}
      data-speck={isSpeck}
    >
      {!isSpeck && <Handle type="target" position={Position.Left} isConnectable={false} style={besideName} />}
      <button
        ref={button}
        type="button"
        className="relation-name nodrag"
        data-note={mark ?? (row && !plainKinds.includes(row.kind) ? row.kind : undefined)}
        aria-label={describe(point, relation === root, mark)}
        onClick={() => place.activate(id)}
        onFocus={() => place.activate(id)}
        onKeyDown={(event) => {
          if (!event.key.startsWith('Arrow')) return;
          event.preventDefault();
          move(id, event.key);
        }}
      >
        {!isSpeck && <Name relation={relation} />}
      </button>
      {columns.length > 0 && (
        <ul className="relation-columns" aria-label={texts.lineage.columnsTitle}>
          {columns.map((column) => (
            <Column key={column} relation={relation} column={column} />
          ))}
        </ul>
      )}
      {!isSpeck && <Handle type="source" position={Position.Right} isConnectable={false} style={besideName} />}
      {isActive && root !== '' && <NodeTools relation={relation} isRoot={relation === root} />}
    </div>
  );
}

const besideName = { top: sizes.head / 2 };

const Name = ({ relation }: { readonly relation: string }) => (
  <>
    <span className="relation-schema">{relation.slice(0, -nameOf(relation).length)}</span>
    <span className="relation-table">{nameOf(relation)}</span>
  </>
);

/** What goes without saying. */
const plainKinds = ['table', 'relation'];

/** A column, whose way through the picture is lit while it is pointed at or has the focus. */
function Column({ relation, column }: { readonly relation: string; readonly column: string }) {
  const { address, light, litColumns, root, place } = usePicture();
  const key = columnKey(relation, column);
  return (
    <li data-lit={litColumns.has(key)} data-asked={relation === root && address.column.includes(column)}>
      <Handle type="target" id={`in ${column}`} position={Position.Left} isConnectable={false} />
      <button
        type="button"
        className="relation-column nodrag"
        title={column}
        onMouseEnter={() => light(key)}
        onMouseLeave={() => light(null)}
        onFocus={() => {
          place.activate(relation);
          light(key);
        }}
        onBlur={() => light(null)}
      >
        {column}
      </button>
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
