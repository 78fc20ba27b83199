/** Ends as the promise does, and after so long at the latest. */
export async function settledWithin(promise: Promise<unknown>, timeMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeMs);
  });
  await Promise.race([promise, patience]);
  clearTimeout(timer);
}
