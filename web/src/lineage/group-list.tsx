import { useState } from 'react';
import { createPortal } from 'react-dom';
import { schemaOf } from '../../../shared/contract/layers.ts';
import { Modal, ModalHead } from '../parts/modal.tsx';
import { texts } from '../texts.ts';
import type { GroupPoint } from './groups.ts';
import { usePicture } from './picture-context.ts';

const mostListed = 200;

type GroupListProps = { readonly title: string; readonly point: GroupPoint; readonly close: () => void };

/** The relations of a group that is too large to draw: counted by schema, searched, and chosen one by one. */
export function GroupList({ title, point: { id, members }, close }: GroupListProps) {
  const { address, change } = usePicture();
  const [text, setText] = useState('');
  const found = members.filter((member) => member.toLowerCase().includes(text.trim().toLowerCase()));
  const schemas = [...Map.groupBy(found, schemaOf)].toSorted(([, a], [, b]) => b.length - a.length);
  const act = (part: Parameters<typeof change>[0]) => {
    close();
    change(part);
  };
  // Out of the picture, which would take the wheel for its zoom.
  return createPortal(
    <Modal title={title} close={close}>
      <ModalHead title={title} close={close} />
      <div className="field-row">
        <input
          type="text"
          aria-label={texts.lineage.list.find}
          placeholder={texts.lineage.list.find}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <button type="button" onClick={() => act({ open: [...address.open, id] })}>
          {texts.lineage.list.draw(members.length)}
        </button>
      </div>
      <p role="status" className="dim">
        {schemas.map(([schema, own]) => `${schema} ${own.length.toLocaleString()}`).join(' · ') || texts.search.nothing}
      </p>
      <ul className="plain rows">
        {found.slice(0, mostListed).map((member) => (
          <li key={member}>
            <button type="button" className="quiet ref" onClick={() => act({ selected: member })}>
              {member}
            </button>
          </li>
        ))}
      </ul>
      {found.length > mostListed && <p className="dim">{texts.lineage.list.more(found.length - mostListed)}</p>}
    </Modal>,
    document.body,
  );
}
