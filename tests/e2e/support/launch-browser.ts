import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './find-chromium.ts';

/**
 * Disabled features. The first two serve the suggestions of the address bar. Each new profile prepares them
 * in its own process, for half of the processor time of a visit. The others are the defaults of
 * playwright-core 1.65, which this switch replaces.
 */
const DISABLED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
];

/** Launches Chromium for tests, benchmarks and screenshots. findChromium must have found one. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(process.env)!,
    args: ['--no-sandbox', '--disable-dev-shm-usage', `--disable-features=${DISABLED_FEATURES.join(',')}`],
  });
}
