import { texts } from '../texts.ts';
import { type Address, type Change, type Direction, depthOf } from './address.ts';
import type { Shown } from './answer.ts';
import { PathField } from './path-field.tsx';

const directions: readonly Direction[] = ['both', 'upstream', 'downstream'];
const depths = Array.from({ length: 10 }, (_, index) => index + 1);

type ControlsProps = { readonly address: Address; readonly change: Change; readonly shown: Shown };

/** What is asked: the direction, how far, and whether stale edges count. */
export function Controls({ address, change, shown }: ControlsProps) {
  return (
    <div className="controls">
      <label>
        {texts.lineage.direction}
        <select
          value={address.direction}
          onChange={({ target }) =>
            change({ direction: directions.find((one) => one === target.value) ?? 'both', edge: null })
          }
        >
          {directions.map((one) => (
            <option key={one} value={one}>
              {texts.lineage.directions[one]}
            </option>
          ))}
        </select>
      </label>
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
}
