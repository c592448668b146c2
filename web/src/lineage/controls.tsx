import { Choice } from '../parts/choice.tsx';
import { texts } from '../texts.ts';
import { type Address, type Change, depthOf } from './address.ts';
import type { Shown } from './answer.ts';
import { PathField } from './path-field.tsx';

type ControlsProps = { readonly address: Address; readonly change: Change; readonly shown: Shown };

/** What is asked: the direction, how far, and whether stale edges count. */
export const Controls = ({ address, change, shown }: ControlsProps) => (
  <div className="controls">
    <Choice
      label={texts.lineage.direction}
      value={address.direction}
      options={texts.lineage.directions}
      choose={(direction) => change({ direction, edge: null })}
    />
    <DepthChoice address={address} change={change} />
    {address.view === 'graph' && <PathField key={address.to} address={address} change={change} shown={shown} />}
    <label className="check">
      <input
        type="checkbox"
        checked={address.stale}
        onChange={({ target }) => change({ stale: target.checked, edge: null })}
      />
      {texts.lineage.showStale}
    </label>
    {address.hide.length > 0 && (
      <button type="button" onClick={() => change({ hide: [] })}>
        {texts.lineage.unhide(shown.hidden)}
      </button>
    )}
  </div>
);

const depths = Array.from({ length: 10 }, (_, index) => index + 1);

const DepthChoice = ({ address, change }: Omit<ControlsProps, 'shown'>) => (
  <label>
    {texts.lineage.depth}
    <select
      value={address.depth ?? ''}
      onChange={({ target }) => change({ depth: target.value === '' ? null : Number(target.value) })}
    >
      <option value="">{texts.lineage.depthAuto(depthOf({ ...address, depth: null }))}</option>
      {depths.map((depth) => (
        <option key={depth} value={depth}>
          {depth}
        </option>
      ))}
    </select>
  </label>
);
