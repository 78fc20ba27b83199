/** MongoDB's clock, so that no two machines' clocks are compared. */
export const leaseEnd = (leaseMs: number) => ({
  $dateAdd: { startDate: '$$NOW', unit: 'millisecond', amount: leaseMs },
});
export const leaseIsOver = { $expr: { $lte: ['$leased_until', '$$NOW'] } };
export const leaseIsValid = { $expr: { $gt: ['$leased_until', '$$NOW'] } };
