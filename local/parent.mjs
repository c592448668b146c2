// Plain JavaScript for Node 20: it is asked before anything is installed.
// Who started this: known before anything that takes its time, such as an installation. A signal that ends npm ends its
// shell and goes no further, so that a child process must notice by itself that the parent is gone.
const parent = process.ppid;

export const isOrphan = () => process.ppid !== parent || !exists(parent);

/** Windows gives an orphan no other parent. */
function exists(id) {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}
