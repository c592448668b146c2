import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { useState } from 'react';
import { nameOf } from '../../../shared/contract/layers.ts';
import { LayerIcon } from '../parts/layer.tsx';
import { texts } from '../texts.ts';
import { GroupList } from './group-list.tsx';
import { type GroupPoint, readable } from './groups.ts';
import { NodeButton } from './node-button.tsx';
import { useDimmed, useNodeFocus, usePicture } from './picture-context.ts';

// The library draws another frame round nodes of the type `group`.
export type GroupNodeType = Node<{ readonly point: GroupPoint }, 'schema'>;

/** Relations of one schema with the names of the most connected; a click takes it apart, or lists them if they are too many to draw. */
export function GroupNode({ data: { point } }: NodeProps<GroupNodeType>) {
  const { address, change, layerOf, connectorOf } = usePicture();
  const { isActive } = useNodeFocus(point.id);
  const isDimmed = useDimmed(point.id);
  const count = texts.relations(point.members.length);
  const size = point.isAlike ? texts.lineage.alike(point.members.length) : count;
  const schema = nameOf(point.schema) || point.schema;
  const [isListed, setListed] = useState(false);
  const isLarge = point.members.length > readable;
  const [first = ''] = point.members;
  const layer = layerOf(first, connectorOf(first));
  return (
    <div className="relation group" data-active={isActive} data-dimmed={isDimmed} data-layer={layer}>
      <Handle type="target" position={Position.Left} isConnectable={false} style={besideName} />
      <NodeButton
        id={point.id}
        aria-label={`${schema}${point.isAlike ? ` ${size}` : ''}, ${count}`}
        title={isLarge ? texts.lineage.list.open : texts.lineage.open}
        onClick={() => (isLarge ? setListed(true) : change({ open: [...address.open, point.id] }))}
      >
        <LayerIcon layer={layer} />
        <span className="relation-text">
          <span className="relation-table">
            <bdi>{schema}</bdi>
          </span>{' '}
          <span className="relation-schema">
            <bdi>{size}</bdi>
          </span>
        </span>
      </NodeButton>
      <ul className="members" aria-hidden="true">
        {point.lines.map((line) => (
          <li key={line} title={line}>
            <bdi>{line}</bdi>
          </li>
        ))}
      </ul>
      <Handle type="source" position={Position.Right} isConnectable={false} style={besideName} />
      {isListed && <GroupList title={`${schema}, ${count}`} point={point} close={() => setListed(false)} />}
      {isActive && (
        <button
          type="button"
          className="relation-tool nodrag"
          tabIndex={-1}
          onClick={() => change({ hide: [...address.hide, ...point.members] })}
        >
          {texts.lineage.hide}
        </button>
      )}
    </div>
  );
}

const besideName = { top: 23 };
