import { Link } from '@tanstack/react-router';
import type { Delivery } from '../api/queries.ts';
import { Prose } from '../parts/time.tsx';
import { may, useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';

export function DeliveryProblems({ delivery }: { readonly delivery: Delivery }) {
  const { quarantined, warnings, unresolved, ignored } = delivery;
  return (
    <section className="card">
      <h2>{texts.deliveries.quarantined}</h2>
      {quarantined.length === 0 && <p className="dim">{texts.deliveries.quarantinedNone}</p>}
      <ul className="plain">
        {quarantined.map((item) => (
          <QuarantinedItem key={`${item.index} ${item.code}`} deliveryId={delivery.delivery_id} item={item} />
        ))}
      </ul>
      {warnings.length > 0 && <h2>{texts.deliveries.warnings}</h2>}
      <ul className="plain">
        {warnings.map(({ code, message }) => (
          <li key={code + message}>
            <code>{code}</code> {message}
          </li>
        ))}
      </ul>
      {unresolved.length > 0 && <h2>{texts.deliveries.unresolved}</h2>}
      <ul className="plain">
        {unresolved.map((one) => (
          <Unresolved key={one.reason} one={one} />
        ))}
      </ul>
      {ignored.length > 0 && <h2>{texts.deliveries.ignored}</h2>}
      <ul className="plain">
        {ignored.map(({ reason, count, advice }) => (
          <li key={reason}>
            {count} × {reason.replaceAll('_', ' ')}{' '}
            <span className="dim">
              <Prose text={advice} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The assets that are not resolved for one reason, and what to do about them. */
export const Unresolved = ({ one }: { readonly one: Delivery['unresolved'][number] }) => (
  <li>
    {one.count} × {one.reason.replaceAll('_', ' ')}
    {one.assets.length > 0 && ': '}
    {one.assets.map((asset, index) => (
      <span key={asset}>
        {index > 0 && ', '}
        <span className="ref">{asset}</span>
      </span>
    ))}
    {one.assets_left_out > 0 && ` ${texts.deliveries.assetsLeftOut(one.assets_left_out)}`}{' '}
    <span className="dim">
      <Prose text={one.advice} />
    </span>
  </li>
);

type Item = Delivery['quarantined'][number];

function QuarantinedItem({ deliveryId, item }: { readonly deliveryId: string; readonly item: Item }) {
  const workspace = useWorkspace();
  return (
    <li>
      {texts.deliveries.item(item.index)} <code>{item.code}</code> {item.message}{' '}
      {may(workspace, 'admin') && (
        <Link to="/deliveries/$deliveryId" params={{ deliveryId }} search={{ payload: 'yes', at: placeOf(item) }}>
          {texts.deliveries.openItem(item.index)}
        </Link>
      )}
    </li>
  );
}

/** The pointer to an item at the start of its message; empty if the payload is one item, which is all of it. */
function placeOf({ index, message }: Item): string {
  const [place = ''] = message.split(': ');
  const step = `/${index}`;
  return place.includes(step) ? place.slice(0, place.indexOf(step) + step.length) : '';
}
