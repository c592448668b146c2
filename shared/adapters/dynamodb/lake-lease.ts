import type { LakeLease } from '../../domain/events/compact/ports.ts';
import { lakeLeaseKey } from './keys/ledger-keys.ts';
import { releaseLease, takeLease } from './leases.ts';
import type { Table } from './table.ts';

/** As long as the function that compacts may run: who died holds the lake no longer. */
export const lakeLeaseSeconds = 900;

/** The lease by which one at a time moves or removes stored rows. */
export const lakeLease = (ledger: Table, holder: string): LakeLease => ({
  take: (now) => takeLease(ledger, lakeLeaseKey, { holder, now, seconds: lakeLeaseSeconds }),
  release: () => releaseLease(ledger, lakeLeaseKey, holder),
});
