import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import { texts } from '../texts.ts';
import { useIsHere, usePicture } from './active.ts';
import { type GroupPoint, nameOf } from './groups.ts';

export type GroupNodeType = Node<{ readonly point: GroupPoint }, 'group'>;

/** Relations of one schema, which a click takes apart. */
export function GroupNode({ data: { point } }: NodeProps<GroupNodeType>) {
  const { address, change, place, move } = usePicture();
  const button = useRef<HTMLButtonElement>(null);
  const { isActive, isFocused } = useIsHere(point.id);
  useEffect(() => {
    if (isFocused) button.current?.focus({ preventScroll: true });
  }, [isFocused]);
  const count = texts.relations(point.members.length);
  const name = nameOf(point.schema) || point.schema;
  return (
    <div className="relation group" data-active={isActive}>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <button
        ref={button}
        type="button"
        className="relation-name nodrag"
        data-schema={point.schema}
        aria-label={`${name}, ${count}`}
        title={texts.lineage.open}
        onClick={() => change({ open: [...address.open, point.id] })}
        onFocus={() => place.activate(point.id)}
        onKeyDown={(event) => {
          if (!event.key.startsWith('Arrow')) return;
          event.preventDefault();
          move(point.id, event.key);
        }}
      >
        <span className="relation-table">{count}</span>
      </button>
      <Handle type="source" position={Position.Right} isConnectable={false} />
      {isActive && (
        <div className="relation-tools nodrag">
          <button type="button" onClick={() => change({ open: [...address.open, point.id] })}>
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
