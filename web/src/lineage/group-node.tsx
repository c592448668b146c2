import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { texts } from '../texts.ts';
import { type GroupPoint, nameOf } from './groups.ts';
import { useNodeFocus, usePicture } from './picture-context.ts';
import { NodeButton } from './relation-node.tsx';

export type GroupNodeType = Node<{ readonly point: GroupPoint }, 'group'>;

/** Relations of one schema, which a click takes apart. */
export function GroupNode({ data: { point } }: NodeProps<GroupNodeType>) {
  const { address, change } = usePicture();
  const { isActive } = useNodeFocus(point.id);
  const open = () => change({ open: [...address.open, point.id] });
  const count = texts.relations(point.members.length);
  return (
    <div className="relation group" data-active={isActive}>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <NodeButton
        id={point.id}
        data-schema={point.schema}
        aria-label={`${nameOf(point.schema) || point.schema}, ${count}`}
        title={texts.lineage.open}
        onClick={open}
      >
        <span className="relation-table">{count}</span>
      </NodeButton>
      <Handle type="source" position={Position.Right} isConnectable={false} />
      {isActive && (
        <div className="relation-tools nodrag">
          <button type="button" onClick={open}>
            {texts.lineage.open}
          </button>
          <button type="button" onClick={() => change({ hide: [...address.hide, ...point.members] })}>
            {texts.lineage.hide}
          </button>
        </div>
      )}
    </div>
  );
}
