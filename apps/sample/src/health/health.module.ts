import { EndpointGroup, EndpointsModule } from '@nest-endpoints/core';
import { Module, type DynamicModule } from '@nestjs/common';
import type { AtlasMetrics } from '../metrics/atlas.metrics.js';
import { metricsEndpoint } from '../metrics/metrics.endpoint.js';
import { healthEndpoints } from './health.endpoints.js';

/** What whoever runs the service asks. */
@Module({})
export class HealthModule {
  static forRoot(metrics: AtlasMetrics): DynamicModule {
    const operations = new EndpointGroup({
      tag: { name: 'Operations', description: 'For whoever runs the service.' },
      endpoints: [...healthEndpoints, metricsEndpoint(metrics)],
    });
    return { module: HealthModule, imports: [EndpointsModule.forFeature([operations])] };
  }
}
