import { beginningOf, storable } from '../../../contract/fields.ts';
import type { ExposureFacts } from '../../../contract/impact.ts';
import { isJsonObject } from '../../base/json/read-json.ts';

/** Why a source of an exposure tells no columns. */
export const exposureWithoutColumns = 'exposure_has_no_columns';

type Stated = Readonly<Partial<Record<'title' | 'tool', string | null | undefined>>> & {
  readonly owners?: readonly string[];
};

const [longestFact, mostOwners] = [300, 20];
const fact = (text: string | null | undefined): string | null =>
  beginningOf(storable(text ?? '').trim(), longestFact) || null;

/** The facts as they are stored, cut to what is shown. */
export const exposureFacts = ({ title, tool, owners = [] }: Stated): ExposureFacts => ({
  tool: fact(tool)?.toLowerCase() ?? null,
  title: fact(title),
  owners: ownerNames(owners),
});

/** Owners as their source writes them, each once. */
export const ownerNames = (owners: readonly string[]): string[] => [
  ...new Set(owners.slice(0, mostOwners).flatMap((one) => fact(one) ?? [])),
];

/** The owners in free metadata, a text or a list. The first metadata that names some counts. */
export function ownersIn(metas: readonly unknown[]): string[] {
  const [owner] = metas.flatMap((meta) => (isJsonObject(meta) ? (meta['owner'] ?? meta['owners'] ?? []) : []));
  return [owner].flat().filter((one) => typeof one === 'string');
}

/** Words in the hosts of BI tools. */
const tools =
  /(?:^|[.-])(domo|grafana|hex|lightdash|looker|lookerstudio|metabase|microstrategy|mode|omni|powerbi|preset|qlik|quicksight|redash|sigma|sisense|streamlit|superset|tableau|thoughtspot)(?:computing|cloud|software|app)?[.:-]/;

/** The BI tool that the host of an address names, as in `shop.looker.com`; null if it names none. */
export const toolOfAddress = (url: string | null | undefined): string | null =>
  tools.exec(/^https?:\/\/([^/?#]*)/i.exec(url ?? '')?.[1]?.toLowerCase() ?? '')?.[1] ?? null;
