import { useState } from 'react';
import { createPortal } from 'react-dom';
import { schemaOf } from '../../../shared/contract/layers.ts';
import { Modal, ModalHead } from '../parts/modal.tsx';
import { texts } from '../texts.ts';
import type { GroupPoint } from './groups.ts';
import { usePicture } from './picture-context.ts';

const mostListed = 200;

type GroupListProps = { readonly title: string; readonly point: GroupPoint; readonly close: () => void };

/** The relations of a group that is too large to draw: counted by schema and owner, searched by both, and chosen one by one. */
export function GroupList({ title, point: { id, members }, close }: GroupListProps) {
  const { address, change, ownersOf } = usePicture();
  const [text, setText] = useState('');
  const words = text.trim().toLowerCase();
  const found = members.filter((member) =>
    [member, ...ownersOf(member)].some((one) => one.toLowerCase().includes(words)),
  );
  const owners = counted(found.flatMap(ownersOf));
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
        {counted(found.map(schemaOf)) || texts.search.nothing}
        {owners !== '' && <span className="row-note">{texts.lineage.list.owners(owners)}</span>}
      </p>
      <ul className="plain rows">
        {found.slice(0, mostListed).map((member) => (
          <li key={member}>
            <button type="button" className="quiet ref" onClick={() => act({ selected: member })}>
              {member}
            </button>
            <span className="dim">{ownersOf(member).join(', ')}</span>
          </li>
        ))}
      </ul>
      {found.length > mostListed && <p className="dim">{texts.lineage.list.more(found.length - mostListed)}</p>}
    </Modal>,
    document.body,
  );
}

/** Names with how often each occurs, the most frequent first. */
const counted = (names: readonly string[]): string =>
  [...Map.groupBy(names, (name) => name)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([name, all]) => `${name} ${all.length.toLocaleString()}`)
    .join(' · ');
