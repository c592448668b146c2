import { texts } from '../texts.ts';

/** What the lines mean. */
export const Legend = ({ withColumns }: { readonly withColumns: boolean }) => (
  <ul className="legend" aria-label={texts.lineage.legend.label}>
    {withColumns && <li data-line="direct">{texts.lineage.legend.direct}</li>}
    {withColumns && <li data-line="indirect">{texts.lineage.legend.indirect}</li>}
    {withColumns && <li data-line="masked">{texts.lineage.legend.masked}</li>}
    <li data-line="weak">{texts.lineage.legend.weak}</li>
    <li data-line="stale">{texts.lineage.legend.stale}</li>
  </ul>
);
