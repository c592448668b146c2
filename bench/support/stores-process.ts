import { startStores } from '../../test/support/stores.ts';

/** Emulators in their own process, so that their work is not counted as the service's; ends with its parent. */
const stores = await startStores(process.argv[2]);
process.send?.(stores.environment);
process.once('disconnect', () => void stores.stop().then(() => process.exit()));
