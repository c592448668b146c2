/** How long past times can be asked about (`as_of`), in days. */
export const historyDays = 90;
