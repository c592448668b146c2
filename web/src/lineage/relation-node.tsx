import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { texts } from '../texts.ts';
import { nameOf, type RelationPoint } from './groups.ts';
import { sizes } from './layout.ts';
import { NodeButton } from './node-button.tsx';
import { NodeTools } from './node-tools.tsx';
import { columnKey, useNodeFocus, usePicture } from './picture-context.ts';

export type RelationNodeType = Node<
  {
    readonly point: RelationPoint;
    readonly mark?: string;
    /** Whether it is too small for anything in it to be read, and has no lines of its own. */
    readonly isPlain: boolean;
  },
  'relation'
>;

/** A relation of the picture, with the columns that the question touches. */
export function RelationNode({ data: { point, mark, isPlain } }: NodeProps<RelationNodeType>) {
  const { root, nodeFocus, withColumns, path } = usePicture();
  const { id, relation, row } = point;
  const { isActive } = useNodeFocus(id);
  const isRoot = relation === root;
  return (
    <div
      className="relation"
      data-root={isRoot}
      data-side={row?.direction}
      data-stale={row?.status === 'stale'}
      data-active={isActive}
      data-mark={mark}
      data-dimmed={path !== null && !path.has(id)}
      data-plain={isPlain}
    >
      {!isPlain && <Handle type="target" position={Position.Left} isConnectable={false} style={besideName} />}
      <NodeButton
        id={id}
        data-note={mark ?? (row && !plainKinds.includes(row.kind) ? row.kind : undefined)}
        aria-label={describe(point, isRoot, mark)}
        onClick={() => nodeFocus.activate(id)}
      >
        {!isPlain && <Name relation={relation} />}
      </NodeButton>
      {withColumns && !isPlain && <Columns point={point} />}
      {!isPlain && <Handle type="source" position={Position.Right} isConnectable={false} style={besideName} />}
      {isActive && root !== '' && <NodeTools relation={relation} isRoot={isRoot} />}
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

const Columns = ({ point: { relation, columns } }: { readonly point: RelationPoint }) =>
  columns.length > 0 && (
    <ul className="relation-columns" aria-label={texts.lineage.columnsTitle}>
      {columns.map((column) => (
        <Column key={column} relation={relation} column={column} />
      ))}
    </ul>
  );

/** A column, whose way through the picture is highlighted while it is pointed at or has the focus. */
function Column({ relation, column }: { readonly relation: string; readonly column: string }) {
  const { address, highlight, highlightedColumns, root, nodeFocus } = usePicture();
  const key = columnKey(relation, column);
  return (
    <li
      data-highlighted={highlightedColumns.has(key)}
      data-asked={relation === root && address.column.includes(column)}
    >
      <Handle type="target" id={`in ${column}`} position={Position.Left} isConnectable={false} />
      <button
        type="button"
        className="relation-column nodrag"
        title={column}
        onMouseEnter={() => highlight(key)}
        onMouseLeave={() => highlight(null)}
        onFocus={() => {
          nodeFocus.activate(relation);
          highlight(key);
        }}
        onBlur={() => highlight(null)}
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
