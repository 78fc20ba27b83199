import { connect } from '@nats-io/transport-node';
import { natsServersOf } from '@waymark/service-kit/process';

/**
 * Publishes to each subject as the user of NATS in `url`, and returns those that NATS accepted. The user in
 * `observerUrl` may subscribe to everything.
 */
export async function acceptedSubjects(
  url: string,
  observerUrl: string,
  subjects: readonly string[],
): Promise<string[]> {
  const [publisher, observer] = await Promise.all(
    [url, observerUrl].map((each) => connect(natsServersOf(each))),
  );
  const seen: string[] = [];
  // A consumer's deliveries have the same subject, and an address for the acknowledgement.
  observer!.subscribe('>', { callback: (_, { subject, reply }) => void (reply || seen.push(subject)) });
  await observer!.flush();
  for (const subject of subjects) publisher!.publish(subject);
  // The response to the ping of a flush comes behind everything before.
  await publisher!.flush();
  await observer!.flush();
  await Promise.all([publisher!.close(), observer!.close()]);
  return seen.filter((subject) => subjects.includes(subject));
}
