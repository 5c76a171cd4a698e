/* Distances on the earth, as functions that are compiled into whoever uses them. */
#include <math.h>

#define EARTH_RADIUS 6371.0088 /* km */

typedef struct {
  double latitude, longitude; /* degrees */
} place;

/* Return the distance of two places along the surface, in km (the haversine formula). */
static inline double place_distance(place a, place b) {
  const double degree = 0.017453292519943295;
  double north = sin((b.latitude - a.latitude) * degree / 2);
  double east = sin((b.longitude - a.longitude) * degree / 2);
  double h = north * north + cos(a.latitude * degree) * cos(b.latitude * degree) * east * east;
  return 2 * EARTH_RADIUS * asin(sqrt(h < 1 ? h : 1));
}
