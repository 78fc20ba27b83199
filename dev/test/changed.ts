export function filesToTest(since: string): string[] {
  return [since];
}
